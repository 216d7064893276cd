package com.example.generated;
import java.util.List;

public class Words8 extends com.example.Base {
    public List<String> words(String text) {
        return List.of(text);
    }
}
