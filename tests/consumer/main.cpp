// Opens an index that does not exist: the library must link, run and answer with an error value.
#include <cstdio>

#include "data/index.h"

int main() {
  const auto index = harnessg::Index::open("no-such-index");
  if (index) {
    std::puts("an index that does not exist was opened");
    return 1;
  }
  std::puts(index.error().message.c_str());
  return index.error().code == harnessg::ErrorCode::kNotFound ? 0 : 1;
}
