package com.polyassay.value;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.Year;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@SuppressWarnings({
  "removal",
  "deprecation",
  "unchecked"
}) // answers still make boxes by their constructors
class ValuesTests {
  static final Handles NONE =
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
        java.math.RoundingMode.HALF_UP,
        java.math.MathContext.DECIMAL32,
        java.util.concurrent.TimeUnit.DAYS,
        Thread.State.RUNNABLE,
        java.time.MonthDay.of(2, 29),
        java.time.OffsetTime.parse("10:00:30+02:00"),
        java.util.Currency.getInstance("EUR"),
        java.util.OptionalInt.of(-3),
        java.util.OptionalInt.empty(),
        java.util.OptionalLong.of(1L << 40),
        java.util.OptionalDouble.of(Double.NaN),
        java.util.OptionalDouble.empty(),
        Locale.forLanguageTag("zh-Hant-TW"),
        Locale.forLanguageTag("th-TH-u-nu-thai"),
        new Locale("no", "NO", "NY"),
        new Locale("ja", "JP", "JP"),
        Locale.ROOT,
        YearMonth.of(12_345, 3),
        YearMonth.of(-44, 12),
        Year.of(45),
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
    assertArrayEquals(new boolean[] {true, false}, (boolean[]) copy(new boolean[] {true, false}));
    assertArrayEquals(new char[] {'\ud800'}, (char[]) copy(new char[] {'\ud800'}));
    assertArrayEquals(new double[] {-0.0, 1e300}, (double[]) copy(new double[] {-0.0, 1e300}));
    String[][] texts = {{"a"}, null, {}};
    assertArrayEquals(texts, (String[][]) copy(texts));
  }

  @Test
  void longArraysTakeLittleRoom() {
    assertTrue(new ValueWriter(NONE).write(new boolean[100_000]).toBytes().length < 100_100);
    assertTrue(new ValueWriter(NONE).write("x".repeat(100_000)).toBytes().length < 100_100);
  }

  @Test
  void ordersAreKept() {
    TreeSet<String> caseless = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    caseless.add("b");
    assertTrue(((TreeSet<String>) copy(caseless)).contains("B"));
    Comparator<String> own = Comparator.comparing(String::length);
    TreeMap<String, Integer> map = new TreeMap<>(own);
    map.putAll(Map.of("ccc", 3, "z", 1, "aa", 2));
    TreeMap<String, Integer> copied = (TreeMap<String, Integer>) copy(map);
    assertEquals(List.of("z", "aa", "ccc"), List.copyOf(copied.keySet()));
    assertEquals(null, copied.get("other"));
    PriorityQueue<String> queue = new PriorityQueue<>(own.reversed());
    queue.addAll(map.keySet());
    PriorityQueue<String> same = (PriorityQueue<String>) copy(queue);
    assertEquals(List.of("ccc", "aa", "z"), List.of(same.poll(), same.poll(), same.poll()));
    assertEquals(1, ((TreeSet<Integer>) copy(new ConcurrentSkipListSet<>(List.of(2, 1)))).first());
  }

  /** A comparator stays behind; which order it is shows in the elements that it has put there. */
  @Test
  void othersFindTheirPlaceInACopiedOrder() {
    List<Comparator<Integer>> rising =
        List.of(Comparator.naturalOrder(), Integer::compare, (a, b) -> a - b);
    for (Comparator<Integer> order : rising) {
      TreeMap<Integer, String> map = new TreeMap<>(order);
      map.putAll(Map.of(1, "a", 3, "c"));
      assertEquals(1, ((TreeMap<Integer, String>) copy(map)).floorKey(2));
    }
    List<Comparator<Integer>> falling =
        List.of(Comparator.reverseOrder(), (a, b) -> b - a, Comparator.comparing(n -> -n));
    for (Comparator<Integer> order : falling) {
      PriorityQueue<Integer> queue = new PriorityQueue<>(order);
      queue.addAll(List.of(3, 1, 3));
      PriorityQueue<Integer> copied = (PriorityQueue<Integer>) copy(queue);
      copied.add(2);
      assertEquals(
          List.of(3, 3, 2, 1), List.of(copied.poll(), copied.poll(), copied.poll(), copied.poll()));
    }
  }

  @Test
  void deepValuesArrive() {
    List<Object> deep = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      deep = new ArrayList<>(Collections.singletonList(deep));
    }
    assertEquals(deep, copy(deep));
    List<Object> deeper = deep;
    for (int i = 0; i < 200; i++) {
      deeper = new ArrayList<>(Collections.singletonList(deeper));
    }
    List<Object> deepest = deeper;
    assertThrows(IllegalArgumentException.class, () -> copy(deepest));
  }

  @Test
  void numbersThatCountArriveAsSuch() {
    assertEquals(5, ((Number) copy(new AtomicInteger(5))).intValue());
    assertEquals(-6, ((Number) copy(new AtomicLong(-6))).longValue());
  }

  @Test
  void viewsThatWriteThroughStayWritable() {
    List<Integer> list = (List<Integer>) copy(Collections.synchronizedList(new ArrayList<>()));
    assertTrue(list.add(1));
    Queue<Integer> queue = (Queue<Integer>) copy(new ConcurrentLinkedQueue<>(List.of(2, 1)));
    assertEquals(2, queue.poll());
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
  void constantsAndSmallNumbersKeepTheirIdentity() {
    assertSame("constant", copy("constant"));
    assertSame(127, copy(127));
    assertNotSame("constant", copy(new String("constant")));
    for (Object box : List.of(new Integer(5), new Long(5), new Character('c'))) {
      assertEquals(box, copy(box));
      assertFalse(List.<Object>of(5, 5L, 'c').stream().anyMatch(each -> each == copy(box)));
    }
  }

  @Test
  void whatIsSentTwiceArrivesOnce() {
    String text = String.valueOf(new char[] {'a', 'b'});
    Object number = 1000L;
    Object decimal = new BigDecimal("0");
    List<?> copy = (List<?>) copy(Arrays.asList(text, text, number, number, decimal, decimal));
    for (int i = 0; i < 6; i += 2) {
      assertSame(copy.get(i), copy.get(i + 1));
    }
  }

  @Test
  void anArgumentThatComesBackIsTheSame() {
    List<Object> sent = List.of(new StringBuilder("b"), new String("text"), 1000);
    ValueWriter call = new ValueWriter(NONE);
    sent.forEach(call::write);
    ValueReader there = new ValueReader(call.toBytes(), NONE, List.of());
    Object[] arguments = {there.read(), there.read(), there.read(), "new"};
    ValueWriter answer = new ValueWriter(NONE, ValueWriter.numbered(there.known()));
    byte[] bytes = answer.write(arguments).toBytes();
    Object[] back = (Object[]) new ValueReader(bytes, NONE, call.known()).read();
    for (int i = 0; i < sent.size(); i++) {
      assertSame(sent.get(i), back[i]);
    }
    assertEquals("new", back[3]);
  }

  @Test
  void massesOfNumbersArriveWhole() {
    List<Integer> many = IntStream.range(0, 3 * ValueReader.FIXED_LIMIT).boxed().toList();
    List<Object> all = new ArrayList<>(List.of(many, new ArrayList<>(many), new int[] {1000}));
    all.add(all.get(1));
    List<?> copy = (List<?>) copy(all);
    assertEquals(many, copy.get(0));
    assertSame(copy.get(1), copy.get(3));
  }

  @Test
  void contentGoesIntoAnObjectThatIsKnown() {
    List<Object> here = new ArrayList<>(List.of("old"));
    List<Object> there = new ArrayList<>(List.of("new", 2));
    byte[] bytes =
        new ValueWriter(NONE, ValueWriter.numbered(List.of(there))).writeContent(there).toBytes();
    new ValueReader(bytes, NONE, List.of(here)).readContentInto(here);
    assertEquals(List.of("new", 2), here);
  }

  @Test
  void nothingIsMadeOfBytesThatNoWriterWrote() {
    byte[] hugeList = {(byte) Tag.CONTAINER.ordinal(), 0, 127, 127, 127, 127};
    byte[] unknownTag = {99};
    byte[] cutOff = {(byte) Tag.LONG.ordinal(), 1};
    byte fresh = (byte) Tag.FRESH.ordinal();
    byte[] freshFlag = {fresh, (byte) Tag.BOOLEAN.ordinal(), 1};
    byte[] freshFresh = new byte[1 << 16];
    Arrays.fill(freshFresh, fresh);
    for (byte[] bytes : List.of(hugeList, unknownTag, cutOff, freshFlag, freshFresh, new byte[0])) {
      ValueReader reader = new ValueReader(bytes, NONE, List.of());
      assertThrows(IllegalArgumentException.class, reader::read);
    }
  }

  @Test
  void onlyClassesOfTheTableAreMade() {
    assertThrows(IllegalArgumentException.class, () -> Texts.read("java.lang.Runtime", ""));
    assertThrows(IllegalArgumentException.class, () -> new ValueWriter(NONE).write(new Thread()));
  }

  private static Object copy(Object value) {
    byte[] bytes = new ValueWriter(NONE).write(value).toBytes();
    return new ValueReader(bytes, NONE, List.of()).read();
  }
}
