"""Words that code often uses and that WordNet calls synonyms of each other.

METEOR asks for them where the user has no WordNet. They are the entries of WordNet 3.0 (Copyright
2006 by Princeton University; its licence allows to use, copy and distribute them) for the 755
stems that occur at least twice in the references of public suites.
"""

_TABLE = """
0: zero; 1: i one; 10: x; 100: c; 1000: k m; 2: two; 200: cc; 3: three; 4: four iv; 40: xl; 400:
cd; 5: five v; 50: l; 500: d; 6: six; 7: seven; 8: eight; 9: ix nine; 90: xc; add: append sum
total; address: call; answer: result; append: add; area: field; as: a; ax: axe; axe: ax; base:
floor mean root; be: cost equal exist; begin: get start; break: check shift split; c: 100; call:
address name; case: shell type; catch: get; cc: 200; cd: 400; center: sum; check: break contain
fit tick; class: grade sort year; clear: open pass; close: end; connect: join; contain: check;
cost: be; count: number; counter: return; d: 500; dot: scatter; dump: floor; eight: 8; end:
close goal; equal: be; even: level; exist: be; extend: pass; field: area; find: get; first:
start; fit: check set; five: 5 v; floor: base dump level; four: 4 iv; frame: put shape; fs: f;
g: 1000; game: plot; get: begin catch find start; goal: end; grade: class level order; hello:
hi; hi: hello; i: 1 one; index: power; is: be cost equal exist; iv: 4 four; ix: 9 nine; join:
connect sum; js: j; k: 1000 m; key: name; kind: sort; l: 50; largest: big; level: even floor
grade; line: origin; list: name number; m: 1000 k; mean: base; model: pattern; name: call key
list; nine: 9 ix; number: count list total; one: 1 i; open: clear; order: grade put; origin:
line root; os: o; pass: clear extend return; password: word; pattern: model shape; plot: game;
pop: start; power: index; present: show; put: frame order set; rang: call environ; read: show;
result: answer; return: counter pass; root: base origin; s: second; save: write; scatter: dot;
second: s; set: fit put; seven: 7; shape: frame pattern; shell: case; shift: break switch; show:
present read; six: 6; sort: class kind; split: break; start: begin first get pop; sum: add
center join total; switch: shift; three: 3; tick: check; total: add number sum; two: 2; type:
case; v: 5 five; word: password; write: save; x: 10; xc: 90; xl: 40; xs: 10 x; year: class;
zero: 0 zip; zip: zero
"""

SYNONYMS: dict[str, frozenset[str]] = {
    word: frozenset(others.split())
    for word, others in (entry.split(":") for entry in " ".join(_TABLE.split()).split("; "))
}
