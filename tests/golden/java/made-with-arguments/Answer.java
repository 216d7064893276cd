import java.util.*;

class Change {
  private final List<Integer> coins;

  Change(List<Integer> coins, String currency) {
    if (currency.isEmpty()) {
      throw new IllegalArgumentException("no currency");
    }
    this.coins = coins;
  }

  List<Integer> of(int total) {
    List<Integer> found = new ArrayList<>();
    for (int coin : coins) {
      for (; total >= coin; total -= coin) {
        found.add(coin);
      }
    }
    return found;
  }
}
