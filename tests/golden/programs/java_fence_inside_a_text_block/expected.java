public class Quoted {
    /*
```java
Quoted.quoted("int i;")
```
    */
    public static String quoted(String code) {
        return """
```java
%s
```
""".formatted(code);
    }
}
