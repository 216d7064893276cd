import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;

public class FieldsToMap {
  public static Map<String, Object> fieldsToMap(Object bean) {
    Map<String, Object> values = new HashMap<>();
    if (bean == null) {
      return values;
    }
    for (Class<?> type = bean.getClass(); type != Object.class; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers()) && !values.containsKey(field.getName())) {
          values.put(field.getName(), read(field, bean));
        }
      }
    }
    return values;
  }

  private static Object read(Field field, Object bean) {
    try {
      field.setAccessible(true);
      return field.get(bean);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot read " + field, e);
    }
  }
}
