package main

import "flag"

// update has tests write anew what is made and kept in docs.
var update = flag.Bool("update", false, "write the pages of commands and the pictures of tutorials anew")
