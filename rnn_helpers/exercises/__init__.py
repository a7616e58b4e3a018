"""The chapters' exercises: solutions, cases, wrong answers and hints, and what tests them."""
