;;; SPDX-License-Identifier: GPL-3.0-or-later
;;; The command for Guix, from a clone:  guix build -f packaging/guix.scm   or   guix shell -f packaging/guix.scm
;;; Guix has neither the headers of Random123, which are therefore a package here, nor d3 and dagre: hsel explore says that it has no page.
(use-modules (guix packages) (guix gexp) (guix download) (guix git-download) (guix base16) (guix build-system cmake) (guix build-system copy)
             ((guix licenses) #:prefix license:)
             (gnu packages check) (gnu packages compression) (gnu packages digest) (gnu packages maths) (gnu packages ninja)
             (gnu packages pkg-config) (gnu packages rdf) (gnu packages serialization) (gnu packages sqlite) (gnu packages statistics) (gnu packages web))

(define root (dirname (dirname (current-filename))))

(define random123
  (package
    (name "random123")
    (version "1.14.0")
    (source (origin
              (method url-fetch)
              (uri (string-append "https://github.com/DEShawResearch/random123/archive/refs/tags/v" version ".tar.gz"))
              (sha256 (base16-string->bytevector "effafd8656b18030b2a5b995cd3650c51a7c45052e6e1c21e48b9fa7a59d926e"))))
    (build-system copy-build-system)
    (arguments (list #:install-plan #~'(("include/Random123" "include/"))))
    (home-page "https://github.com/DEShawResearch/random123")
    (synopsis "Counter-based random number generators")
    (description "Header files of random number generators whose state is a counter.")
    (license license:bsd-3)))

(package
  (name "hsel")
  (version "0.3.0")
  (source (local-file root "hsel" #:recursive? #t #:select? (or (git-predicate root) (const #t))))
  (build-system cmake-build-system)
  (arguments
   (list #:generator "Ninja"
         #:configure-flags #~(list "-DBUILD_TESTING=ON" "-DHSEL_RAPTOR=ON" "-DHSEL_HDF5=ON" "-DHSEL_PYTHON_FOLDER=")
         #:phases #~(modify-phases %standard-phases
                      (replace 'check
                        (lambda* (#:key tests? #:allow-other-keys)
                          (when tests? (invoke "ctest" "-L" "unit" "--output-on-failure")))))))
  (native-inputs (list cmocka pkg-config))
  (inputs (list hdf5 jansson libyaml random123 raptor2 rmath-standalone sqlite xxhash zlib))
  (home-page "https://example.org/hsel")
  (synopsis "Feature selection and classification in hierarchies of features")
  (description "hsel selects features and classifies instances when the features form an IS-A hierarchy, such as terms of the Gene Ontology.")
  (license license:gpl3+))
