// Package grpcwire speaks as much gRPC as it takes to ask an A2A agent what it
// supports: calls with one request over the HTTP/2 of the standard library, and
// the few protobuf messages that such calls send and receive. ADR 5 says why
// this is not grpc-go.
//
// Only package contract imports it.
package grpcwire
