"""People's scores: rubrics, what a grader sees and in which order, and how far graders agree.

What a screen, a form or a model grader needs:

- `sessions.session_of(store, suite, codes, rubric, grader, plan, kind)` begins or goes on with a
  session; `kind` is `SCORES` or `PREFERENCES` (`store.scores`). `Scores.items(session.id)` is what
  comes, in order. Items of one `screen` stand together; of preferences the first is A (left), the
  second B (right). `showing` is 1 and more where an item comes again: silent repeats (preferences:
  with the sides swapped) and calibration. A calibration item's key has the tool `CALIBRATION`.
- `Scores.append(Event(…))` and `Preferences.append(PreferenceEvent(…))` are durable when they
  return. With a `token` (any text of up to 64 characters that is the sender's own) a second sending
  changes nothing and returns what was kept first. `seconds` is how long the grader looked.
- An event of the kind UNDO with `undoes=ID` takes an event back; the log itself never changes.
- `sheets.sheets(events)` and `preference.choices.sheets(events)` say what holds for one grader now.
- `Graders.save_grader(Grader(name, GraderKind.MODEL, facts))` makes a grader a model, before its
  first score; `stored.all_scores` and `stored.all_preferences` are people's alone unless asked.
- `Graders.save_calibration(rubric, [Calibration(calibration_key(…), code, scores)])`.
"""
