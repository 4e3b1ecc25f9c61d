"""The commands: a file for every command line, named by the words that are typed."""
