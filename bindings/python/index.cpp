#include <pthread.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "bindings/python/errors.h"
#include "bindings/python/handles.h"
#include "bindings/python/module.h"

namespace harnessg::python {
namespace {

using IndexPointer = std::shared_ptr<IndexHandle>;

std::atomic<bool> used_here = false;         // so that libraries may have started threads in this process
std::atomic<bool> used_before_fork = false;  // in the process that this one was forked from

// At the end of a forked child the libraries' static objects would wait for threads that stayed behind: leave before.
void leave_child(int status, void*) {
  std::fflush(nullptr);
  _exit(status);
}

void after_fork_in_child() {
  if (!used_here.exchange(false)) return;
  used_before_fork = true;
  on_exit(&leave_child, nullptr);
}

IndexPointer open_index(const std::filesystem::path& path) {
  use_engine();
  auto handle = std::make_shared<IndexHandle>();
  handle->index = compute([&] { return Index::open(path); });
  handle->path = std::filesystem::absolute(path).string();
  handle->content_hash = handle->index->manifest().content_hash;
  return handle;
}

const VectorTable& vectors_of(const Index& index, const std::string& kind) {
  constexpr std::array<const char*, 3> kKinds = {"paragraph", "sentence", "entity"};
  const auto at = std::find(kKinds.begin(), kKinds.end(), kind);
  if (at == kKinds.end()) {
    raise({ErrorCode::kInvalidArgument,
           fmt::format("\"{}\" is no kind of node; give paragraph, sentence or entity", kind)});
  }
  if (index.vectors() == nullptr) {
    raise({ErrorCode::kUnavailable, fmt::format("the index {} was built without vectors", index.path().string())});
  }
  return (*index.vectors())[static_cast<std::size_t>(at - kKinds.begin())];
}

// The rows where they lie, read-only; the array keeps the index in memory.
py::array vector_rows(const IndexHandle& handle, const std::string& kind) {
  const auto index = handle.get();
  const VectorTable& table = vectors_of(*index, kind);
  const float* const rows = table.size() == 0 ? nullptr : table.row(0).data();
  const py::capsule owner(new std::shared_ptr<const Index>(index),
                          [](void* held) { delete static_cast<std::shared_ptr<const Index>*>(held); });
  py::array_t<float> array({table.size(), table.dim()}, rows, owner);
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

template <class Handle, class Id>
Handle node(const IndexPointer& handle, std::uint32_t id, std::uint32_t count, const char* what) {
  if (id < count) return {handle, Id{id}};
  raise({ErrorCode::kInvalidArgument, fmt::format("there is no {} {}; the index has {}", what, id, count)});
}

void add_index_class(py::module_& module) {
  py::class_<IndexHandle, IndexPointer>(module, "Index")
      .def_readonly("path", &IndexHandle::path)
      .def_readonly("content_hash", &IndexHandle::content_hash)
      .def_property_readonly("paragraph_count",
                             [](const IndexHandle& self) { return self.get()->graph().paragraph_count(); })
      .def_property_readonly("sentence_count",
                             [](const IndexHandle& self) { return self.get()->graph().sentence_count(); })
      .def_property_readonly("entity_count", [](const IndexHandle& self) { return self.get()->graph().entity_count(); })
      .def_property_readonly("counts", [](const IndexHandle& self) { return self.get()->manifest().counts; })
      .def_property_readonly("settings", [](const IndexHandle& self) { return self.get()->manifest().settings; })
      .def_property_readonly("embedder", [](const IndexHandle& self) { return self.get()->manifest().embedder.name; })
      .def_property_readonly("dim", [](const IndexHandle& self) { return self.get()->manifest().embedder.dim; })
      .def_property_readonly("has_vectors", [](const IndexHandle& self) { return self.get()->vectors() != nullptr; })
      .def_property_readonly("bytes_on_disk", [](const IndexHandle& self) { return self.get()->bytes_on_disk(); })
      .def_property_readonly("memory_bytes", [](const IndexHandle& self) { return self.get()->memory_bytes(); })
      .def(
          "sentence",
          [](const IndexPointer& self, std::uint32_t id) {
            return node<SentenceHandle, SentenceId>(self, id, self->get()->graph().sentence_count(), "sentence");
          },
          py::arg("id"))
      .def(
          "entity",
          [](const IndexPointer& self, std::uint32_t id) {
            return node<EntityHandle, EntityId>(self, id, self->get()->graph().entity_count(), "entity");
          },
          py::arg("id"))
      .def("vectors", &vector_rows, py::arg("kind"))
      .def("close", &IndexHandle::close)
      .def_property_readonly("closed", [](const IndexHandle& self) { return self.index == nullptr; })
      .def("__enter__", [](const IndexPointer& self) { return self; })
      .def("__exit__", [](IndexHandle& self, const py::args&) { self.close(); });
}

std::string sentence_words(const SentenceHandle& self) { return std::string(self.index->get()->graph().text(self.id)); }

std::string title(const SentenceHandle& self) {
  const auto index = self.index->get();
  return std::string(index->graph().title(index->graph().paragraph(self.id)));
}

std::string record_id(const SentenceHandle& self) {
  const auto index = self.index->get();
  return std::string(index->graph().record_id(index->graph().paragraph(self.id)));
}

std::string name(const EntityHandle& self) { return std::string(self.index->get()->graph().surface(self.id)); }

std::vector<std::string> surfaces(const EntityHandle& self) {
  const auto index = self.index->get();
  std::vector<std::string> all;
  for (std::uint32_t i = 0; i < index->graph().surface_count(self.id); ++i) {
    all.emplace_back(index->graph().surface(self.id, i));
  }
  return all;
}

// What sentences and entities have in common: they are numbers of an index.
template <class Handle>
void add_node_identity(py::class_<Handle>& type) {
  type.def_property_readonly("id", [](const Handle& self) { return index(self.id); })
      .def_property_readonly("index", [](const Handle& self) { return self.index; })
      .def("__index__", [](const Handle& self) { return index(self.id); })
      .def("__hash__", [](const Handle& self) { return index(self.id); })
      .def(
          "__eq__",
          [](const Handle& self, const Handle& other) {
            return self.id == other.id && self.index->content_hash == other.index->content_hash;
          },
          py::is_operator());
}

void add_nodes(py::module_& module) {
  py::class_<SentenceHandle> sentence(module, "Sentence");
  add_node_identity(sentence);
  sentence.def_property_readonly("text", &sentence_words)
      .def_property_readonly("title", &title)
      .def_property_readonly("paragraph", &record_id)
      .def_property_readonly("position",
                             [](const SentenceHandle& self) { return self.index->get()->graph().position(self.id); })
      .def_property_readonly("entities",
                             [](const SentenceHandle& self) {
                               return entity_list(self.index, self.index->get()->graph().entities(self.id));
                             })
      .def("__repr__", [](const SentenceHandle& self) {
        return fmt::format("Sentence({}, {})", index(self.id), std::string(py::repr(py::str(sentence_words(self)))));
      });
  py::class_<EntityHandle> entity(module, "Entity");
  add_node_identity(entity);
  entity.def_property_readonly("name", &name)
      .def_property_readonly(
          "label",
          [](const EntityHandle& self) { return std::string(label_name(self.index->get()->graph().label(self.id))); })
      .def_property_readonly("surfaces", &surfaces)
      .def_property_readonly("sentences",
                             [](const EntityHandle& self) {
                               return sentence_list(self.index, self.index->get()->graph().sentences(self.id));
                             })
      .def("__repr__", [](const EntityHandle& self) {
        return fmt::format("Entity({}, {})", index(self.id), std::string(py::repr(py::str(name(self)))));
      });
}

}  // namespace

std::int64_t process_id() { return getpid(); }

void use_engine() {
  if (used_before_fork) raise_forked("engine");
  used_here = true;
}

std::shared_ptr<const Index> IndexHandle::get() const {
  if (!index) raise_closed("index");
  if (process != process_id()) raise_forked("index");
  return index;
}

void IndexHandle::close() {
  for (const auto& made : environments) {
    if (const auto environment = made.lock()) environment->close();
  }
  environments.clear();
  resolver.reset();
  let_go(index, process);
}

void add_index(py::module_& module) {
  pthread_atfork(nullptr, nullptr, &after_fork_in_child);
  add_index_class(module);
  add_nodes(module);
  module.def("open", &open_index, py::arg("path"));
  module.def(
      "verify",
      [](const std::filesystem::path& path) {
        use_engine();
        compute([&] { return verify_index(path); });
      },
      py::arg("path"));
}

}  // namespace harnessg::python
