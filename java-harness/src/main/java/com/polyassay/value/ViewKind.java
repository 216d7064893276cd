package com.polyassay.value;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.RandomAccess;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Views that the JDK puts around another container, to keep it from changes, from other threads or
 * from other types.
 *
 * <p>A view crosses as a plain container with the same content and order, and is put around that
 * again.
 */
@SuppressWarnings("unchecked") // a view takes the container that was made for it
enum ViewKind {
  // Of two views that a class could be, the more special one comes first.
  UNMODIFIABLE_NAVIGABLE_MAP(
      NavigableMap.class, m -> Collections.unmodifiableNavigableMap((NavigableMap<?, ?>) m)),
  UNMODIFIABLE_SORTED_MAP(
      SortedMap.class, m -> Collections.unmodifiableSortedMap((SortedMap<?, ?>) m)),
  UNMODIFIABLE_SEQUENCED_MAP(Sequenced.MAP, m -> Sequenced.unmodifiable(Sequenced.MAP, m)),
  UNMODIFIABLE_MAP(Map.class, m -> Collections.unmodifiableMap((Map<?, ?>) m)),
  UNMODIFIABLE_NAVIGABLE_SET(
      NavigableSet.class, s -> Collections.unmodifiableNavigableSet((NavigableSet<?>) s)),
  UNMODIFIABLE_SORTED_SET(
      SortedSet.class, s -> Collections.unmodifiableSortedSet((SortedSet<?>) s)),
  UNMODIFIABLE_SEQUENCED_SET(Sequenced.SET, s -> Sequenced.unmodifiable(Sequenced.SET, s)),
  UNMODIFIABLE_SET(Set.class, s -> Collections.unmodifiableSet((Set<?>) s)),
  UNMODIFIABLE_LIST(List.class, l -> Collections.unmodifiableList((List<?>) l)),
  UNMODIFIABLE_SEQUENCED_COLLECTION(
      Sequenced.COLLECTION, c -> Sequenced.unmodifiable(Sequenced.COLLECTION, c)),
  UNMODIFIABLE_COLLECTION(
      Collection.class, c -> Collections.unmodifiableCollection((Collection<?>) c)),
  SYNCHRONIZED_NAVIGABLE_MAP(
      NavigableMap.class, m -> Collections.synchronizedNavigableMap((NavigableMap<?, ?>) m)),
  SYNCHRONIZED_SORTED_MAP(
      SortedMap.class, m -> Collections.synchronizedSortedMap((SortedMap<?, ?>) m)),
  SYNCHRONIZED_MAP(Map.class, m -> Collections.synchronizedMap((Map<?, ?>) m)),
  SYNCHRONIZED_NAVIGABLE_SET(
      NavigableSet.class, s -> Collections.synchronizedNavigableSet((NavigableSet<?>) s)),
  SYNCHRONIZED_SORTED_SET(
      SortedSet.class, s -> Collections.synchronizedSortedSet((SortedSet<?>) s)),
  SYNCHRONIZED_SET(Set.class, s -> Collections.synchronizedSet((Set<?>) s)),
  SYNCHRONIZED_LIST(List.class, l -> Collections.synchronizedList((List<?>) l)),
  SYNCHRONIZED_COLLECTION(
      Collection.class, c -> Collections.synchronizedCollection((Collection<?>) c)),
  // A checked view does not tell its type, so the copy takes any.
  CHECKED_NAVIGABLE_MAP(
      NavigableMap.class,
      m ->
          Collections.checkedNavigableMap(
              (NavigableMap<Object, Object>) m, Object.class, Object.class)),
  CHECKED_SORTED_MAP(
      SortedMap.class,
      m -> Collections.checkedSortedMap((SortedMap<Object, Object>) m, Object.class, Object.class)),
  CHECKED_MAP(
      Map.class, m -> Collections.checkedMap((Map<Object, Object>) m, Object.class, Object.class)),
  CHECKED_NAVIGABLE_SET(
      NavigableSet.class,
      s -> Collections.checkedNavigableSet((NavigableSet<Object>) s, Object.class)),
  CHECKED_SORTED_SET(
      SortedSet.class, s -> Collections.checkedSortedSet((SortedSet<Object>) s, Object.class)),
  CHECKED_SET(Set.class, s -> Collections.checkedSet((Set<Object>) s, Object.class)),
  CHECKED_LIST(List.class, l -> Collections.checkedList((List<Object>) l, Object.class)),
  CHECKED_QUEUE(Queue.class, q -> Collections.checkedQueue((Queue<Object>) q, Object.class)),
  CHECKED_COLLECTION(
      Collection.class, c -> Collections.checkedCollection((Collection<Object>) c, Object.class));

  private static final Pattern NAME =
      Pattern.compile("^java\\.util\\.Collections\\$(Unmodifiable|Synchronized|Checked)");

  private final Class<?> type; // null where this Java lacks it
  private final UnaryOperator<Object> around;

  ViewKind(Class<?> type, UnaryOperator<Object> around) {
    this.type = type;
    this.around = around;
  }

  /** The view of that container. */
  Object around(Object inside) {
    return around.apply(inside);
  }

  /** Whether changes go through to what is inside. */
  boolean writesThrough() {
    return ordinal() >= SYNCHRONIZED_NAVIGABLE_MAP.ordinal();
  }

  /** The kind of a view; null for anything else. */
  static ViewKind of(Object value) {
    Matcher found = NAME.matcher(value.getClass().getName());
    if (found.find()) {
      for (ViewKind kind : values()) {
        if (kind.type != null
            && kind.type.isInstance(value)
            && kind.name().startsWith(found.group(1).toUpperCase(Locale.ROOT))) {
          return kind;
        }
      }
    }
    return null;
  }

  /** A plain container with the content of a view, and with its order. */
  static Object inside(Object view) {
    ContainerKind kind =
        view instanceof List && !(view instanceof RandomAccess) || view instanceof Queue
            ? ContainerKind.LINKED_LIST
            : view instanceof Map || view instanceof Set
                ? ContainerKind.byAbility(view)
                : ContainerKind.ARRAY_LIST;
    Object inside = kind.make();
    ContainerKind.fill(inside, ContainerKind.elements(view));
    return inside;
  }

  /** What Java has from version 21 on. */
  private static final class Sequenced {
    static final Class<?> COLLECTION = find("java.util.SequencedCollection");
    static final Class<?> SET = find("java.util.SequencedSet");
    static final Class<?> MAP = find("java.util.SequencedMap");

    static Object unmodifiable(Class<?> type, Object inside) {
      if (type == null) {
        throw new IllegalArgumentException("this Java has no sequenced containers");
      }
      try {
        return Collections.class
            .getMethod("unmodifiable" + type.getSimpleName(), type)
            .invoke(null, inside);
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException(e);
      }
    }

    private static Class<?> find(String name) {
      try {
        return Class.forName(name, false, null);
      } catch (ClassNotFoundException e) {
        return null;
      }
    }
  }
}
