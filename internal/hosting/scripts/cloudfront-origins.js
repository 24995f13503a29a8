function allowed(request) {
  var headers = Object.assign({}, preflight);
  var origin = request.headers.origin;
  if (origin && %s.includes(origin.value)) {
    headers["access-control-allow-origin"] = { value: origin.value };
  }
  return headers;
}
