package com.polyassay.compile;

import java.util.List;
import java.util.Map;

/**
 * Sources that are compiled together, against the class files of the layers before them.
 *
 * @param sources path to text
 * @param junit whether JUnit is on its class path
 * @param jars the libraries on its class path
 */
public record Layer(Map<String, String> sources, boolean junit, List<String> jars) {}
