// What an Environment keeps of texts it has worked on.
#pragma once

#include "engine/environment.h"
#include "engine/lru_cache.h"

namespace harnessg {

struct Environment::Caches {
  LruCache<SharedQuery> queries;
  LruCache<SharedQuestion> questions;
};

}  // namespace harnessg
