"""What goes wrong, in the words of the program: which file, what is wrong with it, what to do about it."""


class Error(Exception):
    """The program has failed. Its message is the text; code is its exit code, or None."""

    def __init__(self, message, code=None):
        super().__init__(message)
        self.code = code


class UsageError(Error, ValueError):
    """An argument that the program does not know, or a value that it does not take."""


class ArgumentError(UsageError, TypeError):
    """A keyword that is no option."""


class ProgramNotFound(Error, FileNotFoundError):
    """There is no program on this machine."""

    def __str__(self):
        return str(self.args[0])
