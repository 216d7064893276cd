package com.polyassay.value;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ValuesTests {
  private static final Handles NONE =
      new Handles() {
        @Override
        public int numberOf(Object value) {
          throw new IllegalArgumentException("not plain");
        }

        @Override
        public Object objectOf(int number) {
          throw new IllegalArgumentException("no such object");
        }
      };

  static List<Object> plainValues() {
    return Arrays.asList(
        null,
        true,
        (byte) 1,
        (short) 2,
        'c',
        3,
        4L,
        5f,
        6.5,
        "text with \ud800 half a character",
        new BigDecimal("1.50"),
        LocalDate.of(2024, 2, 29),
        DayOfWeek.FRIDAY,
        Locale.US,
        Optional.empty(),
        Optional.of("one"),
        new Date(5),
        new ArrayList<>(Arrays.asList(1, null, "x")),
        List.of(1, 2),
        Arrays.asList(1, 2),
        Collections.unmodifiableList(Arrays.asList(1, null)),
        Set.of("a"),
        new TreeSet<>(Set.of(3, 1)),
        new TreeMap<>(Map.of("b", 1, "a", List.of())),
        new LinkedHashMap<>(Map.of("k", Map.of("deep", true))),
        Map.entry("key", 2));
  }

  @ParameterizedTest
  @MethodSource("plainValues")
  void plainValuesArriveEqualAndOfTheSameClass(Object value) {
    Object copy = copy(value);
    assertEquals(value, copy);
    if (value instanceof ArrayList || value instanceof TreeMap || value instanceof Number) {
      assertSame(value.getClass(), copy.getClass());
    }
  }

  @Test
  void arraysKeepTheirComponents() {
    assertArrayEquals(new int[] {1, 2}, (int[]) copy(new int[] {1, 2}));
    String[][] texts = {{"a"}, null, {}};
    assertArrayEquals(texts, (String[][]) copy(texts));
  }

  @Test
  void reversedOrderIsKept() {
    TreeSet<Integer> reversed = new TreeSet<>(Collections.reverseOrder());
    reversed.addAll(List.of(1, 2, 3));
    assertEquals("[3, 2, 1]", copy(reversed).toString());
  }

  @Test
  void sharingAndCyclesAreKept() {
    List<Object> inner = new ArrayList<>(List.of(1));
    List<Object> outer = new ArrayList<>(List.of(inner, inner));
    outer.add(outer);
    List<?> copy = (List<?>) copy(outer);
    assertSame(copy.get(0), copy.get(1));
    assertSame(copy, copy.get(2));
  }

  @Test
  void contentGoesIntoAnObjectThatIsKnown() {
    List<Object> here = new ArrayList<>(List.of("old"));
    List<Object> there = new ArrayList<>(List.of("new", 2));
    byte[] bytes = new ValueWriter(NONE, List.of(there)).writeContent(there).toBytes();
    new ValueReader(bytes, NONE, List.of(here)).readContentInto(here);
    assertEquals(List.of("new", 2), here);
  }

  @Test
  void nothingIsMadeOfBytesThatNoWriterWrote() {
    byte[] hugeList = {(byte) Tag.CONTAINER.ordinal(), 0, 127, 127, 127, 127};
    byte[] unknownTag = {99};
    byte[] cutOff = {(byte) Tag.LONG.ordinal(), 1};
    for (byte[] bytes : List.of(hugeList, unknownTag, cutOff, new byte[0])) {
      ValueReader reader = new ValueReader(bytes, NONE, List.of());
      assertThrows(IllegalArgumentException.class, reader::read);
    }
  }

  @Test
  void onlyClassesOfTheTableAreMade() {
    assertThrows(IllegalArgumentException.class, () -> Texts.read("java.lang.Runtime", ""));
    assertThrows(
        IllegalArgumentException.class, () -> new ValueWriter(NONE, List.of()).write(new Thread()));
  }

  private static Object copy(Object value) {
    byte[] bytes = new ValueWriter(NONE, List.of()).write(value).toBytes();
    return new ValueReader(bytes, NONE, List.of()).read();
  }
}
