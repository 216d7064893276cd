import java.util.Scanner;
public class Tally { public static void main(String[] args) throws Throwable { new Tally().main(); }


int total = 0;

void main() {
    Scanner in = new Scanner(System.in);
    while (in.hasNextInt()) {
        add(in.nextInt());
    }
    System.out.println(total);
}

void add(int n) {
    total += n;
}
}
