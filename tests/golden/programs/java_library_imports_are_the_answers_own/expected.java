package org.example;
import com.google.gson.Gson;
import com.google.gson.reflect.*;
import java.util.*;
public class Names {



public static List<String> names(String json) {
    ObjectMapper other = null;
    return new Gson().fromJson(json, new TypeToken<List<String>>() {}.getType());
}
}
