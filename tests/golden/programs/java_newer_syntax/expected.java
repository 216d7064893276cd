import java.util.Map;

record Square(double side) {}

public class Areas {
    public static double area(Object shape) {
        if (shape instanceof Square s) {
            return s.side() * s.side();
        }
        String text = """
            class Fake { "quoted" }
            """;
        return switch (text.length()) {
            case 0 -> 0;
            default -> 1;
        };
    }
}
