package org.example;
import java.nio.file.Path;
import static java.nio.file.Files.readAllLines;
import java.io.*;
import java.util.*;
public class Lines {





public static List<String> lines(Path file) throws IOException {
    return readAllLines(file);
}
}
