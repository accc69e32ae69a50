// Another one.
fn scale_of(a) = 2 a
fn common(a) = a
