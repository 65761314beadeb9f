;;; urlsift.el --- open or copy the links of a text or message -*- lexical-binding: t -*-

;; Version: 1.0.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: hypermedia, mail, news

;;; Commentary:

;; `urlsift-pick' lets you choose one of the links of the region, the message
;; or the buffer, and opens it with `browse-url'; with a prefix argument it
;; copies it.  Type a part of the link, such as its host, or of its label.  Broken
;; links are rejoined, links in header fields come last, and Emacs asks before it
;; opens a link with a warning.
;;
;;   (autoload 'urlsift-pick "urlsift" nil t)
;;   (global-set-key (kbd "C-c u") #'urlsift-pick)
;;
;; In Gnus, mu4e and notmuch the links are those of the current message as it
;; was sent.  To bind a key in each of these:
;;
;;   (with-eval-after-load 'gnus-sum
;;     (define-key gnus-summary-mode-map (kbd "C-c u") #'urlsift-pick))
;;   (with-eval-after-load 'mu4e-view
;;     (define-key mu4e-view-mode-map (kbd "C-c u") #'urlsift-pick))
;;   (with-eval-after-load 'notmuch-show
;;     (define-key notmuch-show-mode-map (kbd "C-c u") #'urlsift-pick))

;;; Code:

(require 'browse-url)
(require 'json)
(require 'seq)

(declare-function gnus-summary-select-article "gnus-sum" (&optional all-headers force pseudo article))
(declare-function mu4e-message-at-point "mu4e-message" (&optional noerror))
(declare-function mu4e-message-field "mu4e-message" (msg field))
(declare-function notmuch-show-get-filename "notmuch-show" ())
(defvar gnus-original-article-buffer)

(defgroup urlsift nil
  "Links of texts and messages."
  :group 'browse-url)

(defcustom urlsift-program "urlsift"
  "The name of the program."
  :type 'string)

(defcustom urlsift-arguments nil
  "Further arguments of `urlsift list'."
  :type '(repeat string))

(defcustom urlsift-schemes '("http" "https" "ftp" "mailto" "news" "gopher" "irc" "ircs" "xmpp")
  "The schemes of links that may be opened."
  :type '(repeat string))

(defun urlsift--run (start &optional end file)
  "Return the links of the text from START to END, or of FILE."
  (let ((arguments (append '("list" "--json") urlsift-arguments))
        (error-file (make-temp-file "urlsift")))
    (unwind-protect
        (let* ((output (generate-new-buffer " *urlsift*"))
               (to (list output error-file))
               (coding-system-for-read 'utf-8-unix)
               (coding-system-for-write 'utf-8-unix)
               links)
          (unwind-protect
              (progn
                (if file
                    (apply #'call-process urlsift-program nil to nil (append arguments (list "--" file)))
                  (apply #'call-process-region start end urlsift-program nil to nil arguments))
                (with-current-buffer output
                  (goto-char (point-min))
                  (while (not (eobp))
                    (let ((record (json-read)))
                      (when (equal (alist-get 'type record) "link")
                        (push record links)))
                    (forward-line 1))))
            (kill-buffer output))
          (nreverse links))
      (delete-file error-file))))

(defun urlsift--links ()
  "Return the links of the region, the current message or the buffer."
  (cond
   ((use-region-p)
    (urlsift--run (region-beginning) (region-end)))
   ((derived-mode-p 'gnus-summary-mode 'gnus-article-mode)
    (when (derived-mode-p 'gnus-summary-mode)
      (gnus-summary-select-article))
    (with-current-buffer gnus-original-article-buffer
      (urlsift--run (point-min) (point-max))))
   ((derived-mode-p 'mu4e-view-mode 'mu4e-headers-mode)
    (urlsift--run nil nil (mu4e-message-field (mu4e-message-at-point) :path)))
   ((derived-mode-p 'notmuch-show-mode)
    (urlsift--run nil nil (notmuch-show-get-filename)))
   (t
    (urlsift--run (point-min) (point-max)))))

(defun urlsift--warnings (link)
  "Return the names of the warnings of LINK."
  (mapconcat #'identity (alist-get 'warnings link) ", "))

(defun urlsift--line (link number)
  "Return the line that shows LINK, NUMBER of the text."
  (let ((warnings (urlsift--warnings link)))
    (concat (format "%d  " number)
            (if (alist-get 'label link)
                (format "%s  " (alist-get 'label link)))
            (if (equal warnings "") "" (format "[%s]  " warnings))
            (alist-get 'text link)
            (if (alist-get 'field link)
                (format "  %s" (alist-get 'field link))))))

(defun urlsift--choose (links)
  "Let the user choose one of LINKS."
  (let* ((in-field (lambda (link) (alist-get 'field link)))
         (number 0)
         (choices (mapcar (lambda (link)
                            (setq number (1+ number))
                            (cons (urlsift--line link number) link))
                          (append (seq-remove in-field links) (seq-filter in-field links))))
         (table (lambda (string predicate action)
                  (if (eq action 'metadata)
                      '(metadata (display-sort-function . identity))
                    (complete-with-action action choices string predicate)))))
    (let ((completion-styles '(substring)) ; a host, or a word of a label, is enough
          (completion-ignore-case t))
      (cdr (assoc (completing-read "Link: " table nil t nil nil (caar choices)) choices)))))

(defun urlsift--may-open (link)
  "Whether LINK may be opened; asks about its warnings."
  (let ((warnings (urlsift--warnings link))
        (url (alist-get 'url link)))
    (unless (and (member (alist-get 'scheme link) urlsift-schemes)
                 (not (seq-intersection '("unlinkable-scheme" "unusable") (alist-get 'warnings link))))
      (user-error "Links of this kind are not opened: %s" url))
    (or (equal warnings "")
        (yes-or-no-p (format "Warning: %s.  Open %s? " warnings url)))))

;;;###autoload
(defun urlsift-pick (&optional copy)
  "Choose a link of the region, the message or the buffer, and open it.
With a prefix argument COPY, copy it instead."
  (interactive "P")
  (let* ((links (or (urlsift--links) (user-error "There are no links")))
         (link (urlsift--choose links))
         (url (alist-get 'url link)))
    (cond
     (copy (kill-new url) (message "Copied %s" url))
     ((urlsift--may-open link) (browse-url url)))))

(provide 'urlsift)
;;; urlsift.el ends here
