{ lib, stdenv, fetchurl, pkg-config, bzip2, libarchive, libidn2, libpsl, pcre2, python3, sqlite, xz, zlib, zstd }:

stdenv.mkDerivation rec {
  pname = "urlsift";
  version = "1.0.0";

  src = fetchurl {
    url = "https://urlsift.example/releases/urlsift-${version}.tar.gz";
    hash = lib.fakeHash;
  };

  nativeBuildInputs = [ pkg-config ];
  buildInputs = [ bzip2 libarchive libidn2 libpsl pcre2 sqlite xz zlib zstd ];
  makeFlags = [ "PREFIX=${placeholder "out"}" "IDN2=link" "PSL=link" ];

  nativeCheckInputs = [ python3 ];
  doCheck = true;
  checkPhase = "URLSIFT=build/urlsift python3 tests/cases_test.py";

  meta = {
    description = "Finds, rejoins and judges the URLs in text and mail";
    homepage = "https://urlsift.example/";
    license = with lib.licenses; [ isc unicode-30 bsd3 ];
    mainProgram = "urlsift";
    platforms = lib.platforms.unix;
  };
}
