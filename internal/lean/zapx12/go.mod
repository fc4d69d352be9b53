module github.com/blevesearch/zapx/v12

go 1.26.0

require github.com/blevesearch/zapx/v16 v16.2.8
