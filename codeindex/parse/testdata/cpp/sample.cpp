#include <vector>
#include "sample.hpp"

namespace shop::orders {

using Amount = long;
constexpr int limit = 10;

template <typename T>
concept Priced = requires(T t) { t.price(); };

/// A list of lines.
template <typename T>
class Order : public Base {
 public:
  Order() = default;
  explicit Order(int size) : size_(size) { init(size); }
  virtual ~Order();

  // Adds up.
  [[nodiscard]] Amount total(double rate) const override {
    auto add = [&](int x) { return x + round(rate); };
    return std::accumulate(lines_.begin(), lines_.end(), 0);
  }

  bool operator==(const Order& other) const;
  static Order<T>* make();

  struct Line {
    int price;
  };

 private:
  std::vector<T> lines_;
  int size_ = 0;
};

template <typename T>
Order<T>::~Order() {}

Amount Base::total(double rate) const {
  return this->helper<int>(rate) + detail::round(rate);
}

enum class State : int { kOpen, kPaid };

std::vector<int>& values() noexcept { static std::vector<int> v; return v; }

}  // namespace shop::orders

extern "C" {
int shop_open(const char* name);
}

TEST(OrderTest, AddsUp) { EXPECT_EQ(Order<int>(1).total(0), 0); }

int main() { return values().size(); }
