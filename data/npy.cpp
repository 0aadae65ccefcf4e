#include "data/npy.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace harnessg {
namespace {

static_assert(std::endian::native == std::endian::little, "npy.cpp reads little-endian numbers as they lie");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::uint32_t kMaxHeaderBytes = 1u << 16;

struct Header {
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool half = false;
};

std::string_view trim(std::string_view text) {
  const auto begin = text.find_first_not_of(" \n\t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \n\t") - begin + 1);
}

// What stands behind 'key': in the header's Python dictionary, up to the end of the header; empty when it has no such
// key.
std::string_view value_of(std::string_view header, std::string_view key) {
  for (const char quote : {'\'', '"'}) {
    const std::string quoted = quote + std::string(key) + quote;
    const auto at = header.find(quoted);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = trim(header.substr(at + quoted.size()));
    if (rest.starts_with(':')) return trim(rest.substr(1));
  }
  return {};
}

// The numbers of a tuple such as "(297, 64), ...". False when it is not one.
bool parse_shape(std::string_view text, std::vector<std::size_t>& shape) {
  const auto end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) return false;
  std::string_view rest = trim(text.substr(1, end - 1));
  while (!rest.empty()) {
    std::size_t number = 0;
    const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc()) return false;
    shape.push_back(number);
    rest = trim(rest.substr(static_cast<std::size_t>(stop - rest.data())));
    if (rest.empty()) break;
    if (!rest.starts_with(',')) return false;
    rest = trim(rest.substr(1));
  }
  return true;
}

Result<Header> parse_header(std::string_view text, const std::string& file) {
  Header header;
  const std::string_view type = value_of(text, "descr");
  const std::string_view name = trim(type.substr(0, std::min<std::size_t>(type.find_first_of(",}"), 40)));
  if (name == "'<f2'" || name == "\"<f2\"")
    header.half = true;
  else if (name != "'<f4'" && name != "\"<f4\"")
    return fail(ErrorCode::kBadInput,
                "{}: holds {}, not little-endian float32 or float16; save it with array.astype('<f4')", file,
                name.empty() ? "an unknown type" : name);
  if (!value_of(text, "fortran_order").starts_with("False"))
    return fail(ErrorCode::kBadInput, "{}: is not in C order; save it with numpy.ascontiguousarray(array)", file);
  std::vector<std::size_t> shape;
  if (!parse_shape(value_of(text, "shape"), shape))
    return fail(ErrorCode::kBadInput, "{}: its .npy header has no readable shape; save the array again", file);
  if (shape.size() != 2)
    return fail(ErrorCode::kBadInput, "{}: has {} dimensions, but one row a vector (2 dimensions) is needed", file,
                shape.size());
  header.rows = shape[0];
  header.columns = shape[1];
  return header;
}

// Reads up to the first number; the header's text.
Result<std::string> read_header(std::ifstream& in, const std::string& file) {
  char start[8] = {};
  in.read(start, sizeof(start));
  if (!in || std::string_view(start, kMagic.size()) != kMagic)
    return fail(ErrorCode::kBadInput, "{}: is no .npy file; save the matrix with numpy.save", file);
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3)
    return fail(ErrorCode::kBadInput, "{}: has .npy version {}, and versions 1 to 3 can be read", file, version);
  std::uint32_t length = 0;
  in.read(reinterpret_cast<char*>(&length), version == 1 ? 2 : 4);
  if (!in || length > kMaxHeaderBytes)
    return fail(ErrorCode::kBadInput, "{}: its .npy header is damaged; save the array again", file);
  std::string text(length, ' ');
  in.read(text.data(), length);
  if (!in) return fail(ErrorCode::kBadInput, "{}: is cut short in its header; save the array again", file);
  return text;
}

// The file's size after the header must be what the shape says, before anything is allocated.
Status check_size(const Header& header, std::uint64_t bytes, const std::string& file) {
  const std::uint64_t width = header.half ? 2 : 4;
  const bool fits = header.columns == 0
                        ? bytes == 0
                        : bytes % (header.columns * width) == 0 && header.rows == bytes / (header.columns * width);
  if (fits && header.columns <= std::numeric_limits<std::uint32_t>::max()) return {};
  return fail(ErrorCode::kBadInput, "{}: its header promises {} x {} numbers of {} bytes, but {} bytes follow", file,
              header.rows, header.columns, width, bytes);
}

float widen(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1Fu;
  const std::uint32_t fraction = half & 0x3FFu;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 0x1Fu ? 0xFFu : exponent + (127 - 15);
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

}  // namespace

Result<Matrix> read_npy(const std::filesystem::path& path) {
  const std::string file = path.string();
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (error)
    return fail(error == std::errc::no_such_file_or_directory ? ErrorCode::kNotFound : ErrorCode::kIo,
                "{}: cannot be read: {}", file, error.message());
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(ErrorCode::kIo, "{}: cannot be opened; check its permissions", file);
  HARNESSG_ASSIGN(const std::string text, read_header(in, file));
  HARNESSG_ASSIGN(const Header header, parse_header(text, file));
  HARNESSG_RETURN_IF_ERROR(check_size(header, size - static_cast<std::uint64_t>(in.tellg()), file));

  Matrix matrix{header.rows, header.columns, {}};
  matrix.values.resize(header.rows * header.columns);
  if (header.half) {
    std::vector<std::uint16_t> halves(matrix.values.size());
    in.read(reinterpret_cast<char*>(halves.data()), static_cast<std::streamsize>(halves.size() * 2));
    for (std::size_t i = 0; i < halves.size(); ++i) matrix.values[i] = widen(halves[i]);
  } else {
    in.read(reinterpret_cast<char*>(matrix.values.data()), static_cast<std::streamsize>(matrix.values.size() * 4));
  }
  if (!in) return fail(ErrorCode::kIo, "{}: could not be read to its end", file);
  return matrix;
}

}  // namespace harnessg
