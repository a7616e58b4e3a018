"""Templates of exam questions: one module for each chapter, with a list `TEMPLATES`."""
