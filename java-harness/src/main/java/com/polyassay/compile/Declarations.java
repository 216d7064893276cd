package com.polyassay.compile;

import java.util.stream.Collectors;
import javax.lang.model.element.ExecutableElement;

/** Methods, written as in a source. */
final class Declarations {
  private Declarations() {}

  static String of(ExecutableElement method) {
    StringBuilder text = new StringBuilder();
    method.getModifiers().forEach(each -> text.append(each).append(' '));
    if (!method.getTypeParameters().isEmpty()) {
      text.append('<').append(joined(method.getTypeParameters())).append("> ");
    }
    text.append(method.getReturnType()).append(' ').append(method.getSimpleName());
    text.append(
        method.getParameters().stream()
            .map(each -> each.asType() + " " + each.getSimpleName())
            .collect(Collectors.joining(", ", "(", ")")));
    if (!method.getThrownTypes().isEmpty()) {
      text.append(" throws ").append(joined(method.getThrownTypes()));
    }
    return text.toString().replace("java.lang.", "");
  }

  private static String joined(Iterable<?> parts) {
    StringBuilder text = new StringBuilder();
    for (Object each : parts) {
      text.append(text.isEmpty() ? "" : ", ").append(each);
    }
    return text.toString();
  }
}
