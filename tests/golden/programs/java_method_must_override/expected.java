package com.example.generated;
import java.util.*;
public class Words7 extends com.example.Base {
public List < String > words ( String text ) { 
return Arrays . asList ( text . split ( " - > " ) ) ; 
} 
public void main ( String [ ] args ) { 
System . out . println ( words ( "a - > b" ) ) ; 
} 
}
