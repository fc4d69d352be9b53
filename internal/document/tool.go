package document

// Tool is what the ledger keeps of one search tool that is declared in a file.
type Tool struct {
	Kind     string  `cbor:"1,keyasint"`
	Name     string  `cbor:"2,keyasint"`           // with Kind the ledger's key
	ID       int64   `cbor:"3,keyasint,omitempty"` // the service's; 0: none is known
	Declared Hash    `cbor:"4,keyasint,omitempty"` // of what was declared when it was last sent; zero: it is to be sent
	Seen     []byte  `cbor:"5,keyasint,omitempty"` // the service's JSON, as it was after the last write
	Making   bool    `cbor:"6,keyasint,omitempty"` // a create was begun, and whether it was carried out is not known
	Old      []int64 `cbor:"7,keyasint,omitempty"` // IDs that this one takes the place of, not deleted yet
	Retired  bool    `cbor:"8,keyasint,omitempty"` // it is there and does nothing, because it can't be deleted
}

// ToolTarget is what the search tools of a ledger are pinned to: whose they are.
type ToolTarget struct {
	Base     string `cbor:"1,keyasint"` // base address without slashes at the end
	Customer int64  `cbor:"2,keyasint"`
	Engine   int64  `cbor:"3,keyasint"`
}
