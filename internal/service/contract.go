package service

import (
	"net/http"

	"sitesync/internal/service/openapi"
)

// contractPath is where the OpenAPI document is served: to everyone, web pages of any
// origin included, since it says nothing of what is stored.
const contractPath = "GET /_/openapi.json"

func showContract(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	reply{status: http.StatusOK, body: openapi.Document()}.write(w)
}
