#include <cstdio>

int main() {
  std::puts("nmt " NMT_VERSION);
  return 0;
}
