"""The process that works: rings from the queue, and a timetable of its own."""
