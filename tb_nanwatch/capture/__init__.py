"""Measures a Keras training on TensorFlow from inside its compiled step. The only part that loads TensorFlow."""
