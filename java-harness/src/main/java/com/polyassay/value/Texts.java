package com.polyassay.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.net.URI;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Classes of the JDK whose values cross as text: immutable ones, and numbers that count. */
final class Texts {
  private static final String JDK = "java.";
  private static final int LONGEST_CONSTANT = 65_535;
  private static final Map<String, Function<String, Object>> READERS = new LinkedHashMap<>();

  static {
    READERS.put(BigInteger.class.getName(), BigInteger::new);
    READERS.put(BigDecimal.class.getName(), BigDecimal::new);
    READERS.put(LocalDate.class.getName(), LocalDate::parse);
    READERS.put(LocalTime.class.getName(), LocalTime::parse);
    READERS.put(LocalDateTime.class.getName(), LocalDateTime::parse);
    READERS.put(ZonedDateTime.class.getName(), ZonedDateTime::parse);
    READERS.put(OffsetDateTime.class.getName(), OffsetDateTime::parse);
    READERS.put(Instant.class.getName(), Instant::parse);
    READERS.put(Duration.class.getName(), Duration::parse);
    READERS.put(Period.class.getName(), Period::parse);
    READERS.put(Year.class.getName(), Year::parse);
    READERS.put(YearMonth.class.getName(), Texts::yearMonth);
    READERS.put(ZoneOffset.class.getName(), ZoneOffset::of);
    READERS.put("java.time.ZoneRegion", ZoneId::of);
    READERS.put(UUID.class.getName(), UUID::fromString);
    READERS.put(URI.class.getName(), URI::create);
    READERS.put(Locale.class.getName(), Texts::locale);
    READERS.put(MonthDay.class.getName(), MonthDay::parse);
    READERS.put(OffsetTime.class.getName(), OffsetTime::parse);
    READERS.put(Currency.class.getName(), Currency::getInstance);
    READERS.put(MathContext.class.getName(), MathContext::new);
    READERS.put(
        OptionalInt.class.getName(),
        within(Integer::parseInt, OptionalInt::of, OptionalInt.empty()));
    READERS.put(
        OptionalLong.class.getName(),
        within(Long::parseLong, OptionalLong::of, OptionalLong.empty()));
    READERS.put(
        OptionalDouble.class.getName(),
        within(Double::parseDouble, OptionalDouble::of, OptionalDouble.empty()));
    READERS.put(AtomicBoolean.class.getName(), text -> new AtomicBoolean(text.equals("true")));
    READERS.put(AtomicInteger.class.getName(), text -> new AtomicInteger(Integer.parseInt(text)));
    READERS.put(AtomicLong.class.getName(), text -> new AtomicLong(Long.parseLong(text)));
  }

  private Texts() {}

  static boolean crosses(Object value) {
    return READERS.containsKey(nameOf(value)) || value instanceof Charset || isConstant(value);
  }

  /** Whether it is a constant of one of the JDK's own enums. */
  private static boolean isConstant(Object value) {
    return value instanceof Enum<?> constant
        && constant.getDeclaringClass().getClassLoader() == null
        && constant.getDeclaringClass().getName().startsWith(JDK);
  }

  static String nameOf(Object value) {
    return value instanceof Charset
        ? Charset.class.getName()
        : value instanceof Enum<?> constant
            ? constant.getDeclaringClass().getName()
            : value.getClass().getName();
  }

  /** The text of a value that crosses. */
  static String textOf(Object value) {
    return value instanceof Enum<?> constant
        ? constant.name()
        : value instanceof Locale locale ? written(locale) : value.toString();
  }

  static Object read(String name, String text) {
    if (name.equals(Charset.class.getName())) {
      return Charset.forName(text);
    }
    Function<String, Object> reader = READERS.get(name);
    return reader == null ? constant(name, text) : reader.apply(text);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Object constant(String name, String text) {
    try {
      Class<?> type = name.startsWith(JDK) ? Class.forName(name, false, null) : Object.class;
      if (type.isEnum()) {
        return Enum.valueOf((Class<? extends Enum>) type, text);
      }
    } catch (ClassNotFoundException e) {
      // As below.
    }
    throw new IllegalArgumentException("a value of class " + name + " does not cross");
  }

  /** Of texts like "OptionalInt[3]". */
  private static <T> Function<String, Object> within(
      Function<String, T> parse, Function<T, Object> make, Object empty) {
    return text ->
        text.endsWith("]")
            ? make.apply(parse.apply(text.substring(text.indexOf('[') + 1, text.length() - 1)))
            : empty;
  }

  /** Whether reading makes an object of its own each time; of the others, the JDK shares many. */
  static boolean isFresh(Object value) {
    return value instanceof BigInteger || value instanceof BigDecimal;
  }

  /** Whether it is the very object that constants of the same text are. */
  static boolean isInterned(String text) {
    return text.length() <= LONGEST_CONSTANT && new String(text).intern() == text;
  }

  /** Years of more than four digits have a sign where they are parsed, and none in the text. */
  private static YearMonth yearMonth(String text) {
    int dash = text.lastIndexOf('-');
    return YearMonth.of(
        Integer.parseInt(text.substring(0, dash)), Integer.parseInt(text.substring(dash + 1)));
  }

  /** Neither form has everything: a tag lacks odd old variants, the parts script and extensions. */
  private static String written(Locale locale) {
    return String.join(
        "/",
        locale.getLanguage(),
        locale.getCountry(),
        locale.getVariant(),
        locale.toLanguageTag());
  }

  @SuppressWarnings("deprecation") // a builder refuses odd old variants
  private static Locale locale(String text) {
    String[] parts = text.split("/", 4);
    Locale plain = new Locale(parts[0], parts[1], parts[2]);
    Locale tagged = Locale.forLanguageTag(parts[3]);
    return tagged.toString().startsWith(plain.toString()) ? tagged : plain;
  }
}
