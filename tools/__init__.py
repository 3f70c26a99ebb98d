"""What writes files of this repository from the code; not part of the package."""
