package dialect

import "cardwright/internal/source"

type place = source.Place
