public class Broken {
public static int one() {
public static int one() 
return 1 ; 
} 
}
