"""What is written to event files and how it is read back. Needs protobuf and TensorBoard's protos alone."""
