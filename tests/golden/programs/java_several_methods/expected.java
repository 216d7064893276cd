import java.util.*;
import java.util.stream.*;
public class Primes {
public static List<Integer> primes(int max) {
    return IntStream.rangeClosed(2, max).filter(Primes::isPrime).boxed().collect(Collectors.toList());
}

private static boolean isPrime(int n) {
    return IntStream.rangeClosed(2, (int) Math.sqrt(n)).noneMatch(d -> n % d == 0);
}
}
