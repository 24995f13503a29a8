package client

import (
	"context"
	"errors"
	"net/url"
	"time"
)

// errNoNetwork stands for every request in a browser, where the program reads what
// people paste and asks nobody.
var errNoNetwork = errors.New("there is no network here")

// HostURL says that no argument is a URL.
func HostURL(string) (*url.URL, error) { return nil, errNoNetwork }

// CardURL is [HostURL].
func CardURL(string) (*url.URL, error) { return nil, errNoNetwork }

// Fetch fetches nothing.
func Fetch(context.Context, string) ([]byte, error) { return nil, errNoNetwork }

// Card is [Fetch].
func Card(context.Context, *url.URL, time.Duration) ([]byte, error) { return nil, errNoNetwork }
