"""The kinds of answers: how each is read, judged, partly credited, explained and written."""
