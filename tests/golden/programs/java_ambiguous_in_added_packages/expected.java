import java.lang.annotation.*;
import java.lang.annotation.Annotation;
import java.lang.reflect.*;
import java.lang.reflect.Array;
import java.sql.*;
import java.text.*;
public class Arrays2 {
public static Object first(Object array) throws Exception {
    Annotation[] marks = array.getClass().getAnnotations();
    Format format = new SimpleDateFormat("yyyy");
    Connection none = null;
    return Array.get(array, marks.length);
}
}
