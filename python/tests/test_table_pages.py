"""Rows of a table, as the page reads them."""

import unittest

from granary_runner.values.table_pages import page


def read(value, start=0, count=100, column=None, descending=False):
    return page(value, start, count, column, descending)._repr_json_()


class Containers(unittest.TestCase):
    def test_a_list_of_dicts_has_a_column_for_each_key(self):
        facts = read([{"a": 1}, {"b": 2}])
        self.assertEqual((facts["columns"], facts["rows"]), (["a", "b"], [["1", ""], ["", "2"]]))

    def test_other_lists_have_their_values_and_tuples_their_items(self):
        self.assertEqual(read([1, "x"])["rows"], [["1"], ["x"]])
        self.assertEqual(read([(1, 2), (3,)])["rows"], [["1", "2"], ["3", ""]])

    def test_a_dict_has_its_keys_as_the_index(self):
        facts = read({"a": 1, "b": 2})
        self.assertEqual((facts["index"], facts["rows"]), (["a", "b"], [["1"], ["2"]]))

    def test_rows_are_counted_from_the_start(self):
        facts = read(list(range(10)), 8, 5)
        self.assertEqual((facts["index"], facts["total"]), (["8", "9"], 10))
        self.assertEqual(read([], 0, 5)["rows"], [])

    def test_long_and_broken_values_are_bounded(self):
        class Broken:
            def __str__(self):
                raise ValueError("no")

        rows = read(["x" * 1000, Broken()])["rows"]
        self.assertEqual((len(rows[0][0]), rows[1]), (201, ["<ValueError>"]))

    def test_other_values_are_no_tables(self):
        for value in (1, "text", object(), None):
            self.assertRaises(TypeError, page, value, 0, 10)


class Libraries(unittest.TestCase):
    def setUp(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        self.pandas = pandas

    def test_a_data_frame_is_sorted_by_its_columns(self):
        frame = self.pandas.DataFrame({"city": ["Ulm", "Bonn", "Berlin"], "size": [9, 33, None]}, index=["a", "b", "c"])
        self.assertEqual(read(frame)["rows"], [["Ulm", "9.0"], ["Bonn", "33.0"], ["Berlin", "nan"]])
        self.assertEqual(read(frame, column=1, descending=True)["index"], ["b", "a", "c"])
        self.assertEqual(read(frame, column=0)["index"], ["c", "b", "a"])
        self.assertEqual(read(frame, 1, 1)["rows"], [["Bonn", "33.0"]])

    def test_values_of_several_types_and_equal_labels_are_fine(self):
        frame = self.pandas.DataFrame({"x": [2, "b", None]}, index=[0, 0, 0])
        self.assertEqual(len(read(frame, column=0)["rows"]), 3)
        self.assertEqual(read(self.pandas.DataFrame(index=[1, 2]))["rows"], [[], []])

    def test_series_and_arrays_are_tables(self):
        series = self.pandas.Series([3, 1], name="n")
        self.assertEqual(read(series, column=0)["rows"], [["1"], ["3"]])
        array = series.to_numpy()
        self.assertEqual(read(array, column=0, descending=True)["rows"], [["3"], ["1"]])
        self.assertEqual(read(array.reshape(1, 2))["columns"], ["0", "1"])


if __name__ == "__main__":
    unittest.main()
