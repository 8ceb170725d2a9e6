"""Lessons: data in ``resources/lessons``, and what notices a try. No Qt; torch only to build a document."""
