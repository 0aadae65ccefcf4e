#include "bindings/python/errors.h"

#include <string_view>

namespace harnessg::python {
namespace {

// Names of classes in harnessg/errors.py.
const char* class_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidArgument:
      return "InvalidArgumentError";
    case ErrorCode::kBadInput:
      return "BadInputError";
    case ErrorCode::kNotFound:
      return "NotFoundError";
    case ErrorCode::kAlreadyExists:
      return "AlreadyExistsError";
    case ErrorCode::kWrongIndex:
      return "WrongIndexError";
    case ErrorCode::kCorrupt:
      return "CorruptError";
    case ErrorCode::kUnsupportedVersion:
      return "UnsupportedVersionError";
    case ErrorCode::kUnavailable:
      return "UnavailableError";
    case ErrorCode::kIo:
      return "IoError";
    case ErrorCode::kEnded:
      return "EndedError";
    case ErrorCode::kInternal:
      break;
  }
  return "InternalError";
}

[[noreturn]] void raise_as(const char* name, const std::string& message) {
  const py::object type = py::module_::import("harnessg.errors").attr(name);
  PyErr_SetString(type.ptr(), message.c_str());
  throw py::error_already_set();
}

}  // namespace

void raise(const Error& error) { raise_as(class_name(error.code), error.message); }

void raise_closed(const char* what) { raise_as("ClosedError", fmt::format("the {} is closed; open it again", what)); }

void raise_forked(const char* what) {
  raise_as("ForkedError", fmt::format("the {} was used before this process was forked, and its threads stayed behind; "
                                      "start children by spawn or forkserver, or fork before the first index is opened",
                                      what));
}

}  // namespace harnessg::python
