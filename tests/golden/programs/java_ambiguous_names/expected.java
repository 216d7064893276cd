import java.net.*;
import java.util.Date;
import java.util.List;
import java.awt.*;
import java.util.*;
import java.sql.*;

public class Dates {
    public static List<Date> dates(Object array, java.sql.Date day) {
        List<Date> found = new ArrayList<>();
        found.add((Date) java.lang.reflect.Array.get(array, 0));
        Proxy proxy = null;
        return found;
    }
}
