package dialect

import "cardwright/internal/document"

type place = document.Place
