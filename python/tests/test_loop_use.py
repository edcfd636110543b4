import unittest

from granary_runner.cells.loop_use import needs_running_loop


class LoopUse(unittest.TestCase):
    def needs(self, source: str, expected: bool = True) -> None:
        self.assertEqual(needs_running_loop(source), expected, source)

    def test_a_task_made_by_the_cell_needs_a_running_loop(self):
        self.needs("import asyncio\nt = asyncio.create_task(work())")
        self.needs("import asyncio as aio\nt = aio.ensure_future(work())")
        self.needs("from asyncio import create_task as go\nt = go(work())")
        self.needs("t = create_task(work())")  # imported by an earlier cell

    def test_other_programs_run_beside_it_make_no_difference(self):
        self.needs("import asyncio, subprocess\nsubprocess.run('true')\nt = asyncio.create_task(work())")

    def test_a_cell_that_starts_a_loop_itself_must_not_run_in_one(self):
        self.needs("import asyncio\nasync def main(): asyncio.create_task(work())\nasyncio.run(main())", False)
        self.needs("from asyncio import create_task, run\ncreate_task\nrun(main())", False)
        self.needs("loop.run_until_complete(asyncio.ensure_future(work()))", False)

    def test_names_that_only_look_like_it_are_left_alone(self):
        self.needs("async def create_task(n): return n\nx = create_task(3)", False)
        self.needs("client.create_task('name')", False)
        self.needs("def later(): asyncio.create_task(work())", False)
