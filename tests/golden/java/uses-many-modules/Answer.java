import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

public class Clamp {
  public static int clamp(int x, int low, int high) {
    java.net.http.HttpRequest.newBuilder(java.net.URI.create("http://localhost"));
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
    Class<?>[] more = {
      java.beans.JavaBean.class,
      java.sql.Types.class,
      javax.naming.Context.class,
      com.sun.net.httpserver.HttpServer.class,
      jdk.net.ExtendedSocketOptions.class,
      org.w3c.dom.xpath.XPathEvaluator.class,
    };
    boolean compiles = javax.tools.ToolProvider.getSystemJavaCompiler() != null;
    return random.nextInt(1) + (more.length == 6 && compiles ? Math.max(low, Math.min(high, x)) : x);
  }
}
