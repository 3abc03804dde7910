import unittest

from stockroom.groups import group_by
from stockroom.rows import rows_of
from stockroom.text import clean, join_names


class TextTest(unittest.TestCase):
    def test_clean_text_compares_equal(self) -> None:
        self.assertEqual(clean("  T-Shirt  Red"), clean("t shirt RED"))

    def test_names_form_a_sentence(self) -> None:
        self.assertEqual(join_names([]), "nothing")
        self.assertEqual(join_names(["b"]), "b")
        self.assertEqual(join_names(["c", "a", "b"]), "a, b and c")

    def test_rows_skip_comments(self) -> None:
        self.assertEqual(list(rows_of("a; b\n\n# no\nc # yes")), [["a", "b"], ["c"]])

    def test_groups_are_sorted(self) -> None:
        groups = group_by(["bb", "a", "b"], lambda word: word[0])
        self.assertEqual(list(groups.items()), [("a", ["a"]), ("b", ["bb", "b"])])
