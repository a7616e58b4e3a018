"""Problem sets, their grading, and exams: for instructors; no student's file contains them."""
