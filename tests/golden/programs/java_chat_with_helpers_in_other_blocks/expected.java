import java.util.Objects;
public class Masks {
public static String mask(String s) {
    return "*".repeat(digits(s) + new Mask().n);
}

private static int digits(String s) {
    return (int) s.chars().filter(Character::isDigit).count();
}



static class Mask {
    int n = Objects.hash(1);
}
}
